// Only to see whether Arrow's libraries can be linked (cmake/Arrow.cmake).
int main() { return 0; }
