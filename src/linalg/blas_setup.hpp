#pragma once

namespace tamis {

/// To be called before anything of BLAS or LAPACK: kernels that suit the processor, one thread
/// (callers run many products at once). Cheap when it was done before.
void set_up_blas();

}  // namespace tamis
