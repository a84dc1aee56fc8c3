/** Lets visitors add and remove the rows of tables. Plain ES2020, because it is sent unchanged. */
export const ROWS_SCRIPT = `
(() => {
  for (const table of document.querySelectorAll('[data-rows]')) {
    const { rows: name, filled, least, most, title, removeText, removed, full } = table.dataset;
    const [add, status, copied] = ['[data-add]', '[aria-live]', 'template'].map((selector) => table.querySelector(selector));
    const rows = () => [...table.querySelectorAll(':scope > fieldset')];
    const controls = (row) => [...row.querySelectorAll('input, select, textarea')];
    const numbered = (text, index) => text.replace('{n}', index + 1);
    const isTouched = (control) =>
      control.type === 'checkbox' ? control.checked !== control.defaultChecked
        : control.options ? [...control.options].some((one) => one.selected !== one.defaultSelected && one.index > 0)
        : control.value !== control.defaultValue;
    const renumber = (row, index) => {
      const [id, path] = [(at) => 'f-' + name + '-' + at + '-', (at) => 'answers.' + name + '.' + at + '.'];
      const before = row.dataset.row;
      for (const element of row.querySelectorAll('[id], [name], [for]'))
        for (const attribute of ['id', 'for', 'name', 'aria-describedby']) {
          const value = element.getAttribute(attribute);
          if (value) element.setAttribute(attribute, value.replaceAll(id(before), id(index)).replaceAll(path(before), path(index)));
        }
      row.dataset.row = index;
      const legend = row.querySelector('legend');
      if (before !== String(index)) legend.textContent = numbered(title, index);
      row.querySelector('[data-remove]').textContent = numbered(removeText, index);
    };
    const show = () => {
      const all = rows();
      all.forEach(renumber);
      for (const row of all) row.querySelector('[data-remove]').hidden = all.length <= least;
      add.hidden = all.length >= most;
    };
    for (const row of rows().slice(filled).reverse()) {
      if (controls(row).some(isTouched)) break;
      row.remove();
    }
    show();
    add.addEventListener('click', () => {
      table.insertBefore(copied.content.cloneNode(true), copied);
      show();
      status.textContent = add.hidden ? full : '';
      controls(rows().pop())[0].focus();
    });
    table.addEventListener('click', ({ target }) => {
      if (!target.matches('[data-remove]')) return;
      const row = target.closest('fieldset');
      const index = rows().indexOf(row);
      row.remove();
      show();
      status.textContent = numbered(removed, index);
      controls(rows()[Math.min(index, rows().length - 1)])[0].focus();
    });
  }
})();
`;
