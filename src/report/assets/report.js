"use strict";
// Tooltips, sorting, legends and CSV files. The page reads well without it.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const dataIn = (root) => JSON.parse(root.querySelector("script.data").textContent);

  const csvCell = (value) => {
    const text = value === null ? "" : String(value);
    return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csvText = ({ columns, rows }) =>
    [columns.map((name) => name.replaceAll(" ", "_")), ...rows].map((row) => row.map(csvCell).join(",") + "\n").join("");

  const save = (data) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvText(data)], { type: "text/csv" }));
    link.download = data.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };
  for (const button of all("button.csv"))
    button.addEventListener("click", () => save(dataIn(button.parentElement)));

  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);

  const forPeople = (value) =>
    value === null ? "–" : typeof value === "number" ? String(Number(value.toPrecision(5))) : value;

  const hide = () => {
    tip.hidden = true;
    for (const mark of all(".mark.current")) mark.classList.remove("current");
  };
  const show = (mark, { columns, rows }, index) => {
    hide();
    mark.classList.add("current");
    tip.replaceChildren(
      ...columns.map((column, place) => {
        const line = document.createElement("div");
        for (const text of [column, forPeople(rows[index][place])]) {
          const part = document.createElement("span");
          part.textContent = text;
          line.append(part);
        }
        return line;
      }),
    );
    tip.hidden = false;
    const box = mark.getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    const left = Math.min(Math.max(box.right - tip.offsetWidth / 2, 6), width - tip.offsetWidth - 6);
    const above = box.top - tip.offsetHeight - 10;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(above > 0 ? above : box.bottom + 10) + scrollY}px`;
  };

  for (const figure of all("figure")) {
    const chart = figure.querySelector("svg[role=img]");
    const marks = all(".mark", chart);
    let data;
    let current = -1;
    const go = (index) => {
      current = index;
      data ??= dataIn(figure);
      show(marks[index], data, index);
    };
    const visible = (mark) => mark.getClientRects().length > 0;
    const nearest = (x, y) => {
      let best = -1;
      let least = 28;
      marks.forEach((mark, index) => {
        if (!visible(mark)) return;
        const box = mark.getBoundingClientRect();
        const across = Math.max(box.left - x, x - box.right, 0);
        const down = Math.max(box.top - y, y - box.bottom, 0);
        const distance = Math.hypot(across, down);
        if (distance < least) [best, least] = [index, distance];
      });
      return best;
    };
    chart.addEventListener("pointermove", (event) => {
      const index = nearest(event.clientX, event.clientY);
      if (index >= 0) go(index);
      else hide();
    });
    chart.addEventListener("pointerleave", hide);
    chart.addEventListener("blur", hide);
    chart.addEventListener("focus", () => {
      if (marks.length > 0 && chart.matches(":focus-visible")) go(Math.max(current, 0));
    });
    chart.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") hide();
      if (step === undefined || marks.length === 0) return;
      event.preventDefault();
      let next = current + step;
      while (marks[next] && !visible(marks[next])) next += step;
      if (marks[next]) go(next);
    });
    for (const button of all(".legend button", figure))
      button.addEventListener("click", () => {
        const isOn = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", isOn);
        figure.querySelector(`[data-line="${button.dataset.line}"]`).classList.toggle("off", !isOn);
      });
  }

  for (const table of all("table.sortable")) {
    const heads = all("th", table);
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      const isNumber = head.classList.contains("number");
      const keyOf = (row) => {
        const text = row.cells[column].textContent;
        return isNumber ? Number(text.replace("inf", "Infinity")) : text;
      };
      const compare = isNumber ? (a, b) => a - b || 0 : (a, b) => a.localeCompare(b);
      head.firstElementChild.addEventListener("click", () => {
        const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const undefinedLast = (a, b) => Number.isNaN(a) - Number.isNaN(b);
        const rows = [...body.rows].map((row) => ({ row, key: keyOf(row) }));
        rows.sort((a, b) => undefinedLast(a.key, b.key) || sign * compare(a.key, b.key));
        body.append(...rows.map(({ row }) => row));
      });
    });
  }
})();
