import { html, type Html } from '../../../kit/index.js';
import { icon } from '../../../kit/internal.js';
import type { Rendering } from './pages.js';
import type { FieldRow } from './schemas.js';

interface FieldListOptions {
  /** Whether the rows are sent: only then some are required. */
  isRequest: boolean;
  objectPaths: ReadonlyMap<string, string>;
  /** Before the id of each row, so that rows have anchors. */
  anchor?: string;
}

/** Fields as a list that nests. */
export function fieldList(rows: readonly FieldRow[], shown: FieldListOptions, rendering: Rendering): Html {
  return html`<ul class="fields">${rows.map((row) => fieldItem(row, shown, rendering))}</ul>`;
}

function fieldItem(row: FieldRow, shown: FieldListOptions, rendering: Rendering): Html {
  const { name, type, isRequired, isNullable, description, notes, values, schemaName, children } = row;
  const anchor = shown.anchor && `${shown.anchor}.${name}`;
  const address = schemaName === null ? undefined : shown.objectPaths.get(schemaName);
  const facts = [`${type}${isNullable ? ' or null' : ''}`, ...notes];
  const words = facts.map((fact, index) => html`${index > 0 && ', '}${rendering.line(fact)}`);
  const label = `${children.length} field${children.length === 1 ? '' : 's'} of ${name}`;
  return html`<li${anchor !== undefined && anchor !== '' && html` id="${anchor}"`}><p class="field-name"><code>${name}</code>
<span>${words}</span>${shown.isRequest && isRequired && html` <b class="must">required</b>`}</p>
${description !== '' && html`<p>${rendering.line(description)}</p>`}${
    values.length > 0 && html`<p class="values">One of ${values.map((value) => html`<code>${value}</code> `)}</p>`
  }${address !== undefined && html`<p><a href="${address}">Fields of ${schemaName}</a></p>`}${
    children.length > 0 &&
    html`<details><summary>${icon('chevron-right')}${label}</summary>
${fieldList(children, { ...shown, anchor: anchor || undefined }, rendering)}</details>`
  }</li>`;
}

/** The same as Markdown. */
export function fieldLines(rows: readonly FieldRow[], isRequest: boolean, indent = ''): string {
  return rows
    .map(({ name, type, isRequired, isNullable, description, notes, values, schemaName, children }) => {
      const facts = [`${type}${isNullable ? ' or null' : ''}`, ...(isRequest && isRequired ? ['required'] : []), ...notes];
      const known = [
        description,
        values.length > 0 ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '',
        schemaName === null ? '' : `See ${schemaName}.`,
      ];
      const text = known.filter((part) => part !== '').join(' ');
      return `${indent}- \`${name}\` (${facts.join(', ')})${text && `: ${text}`}\n${fieldLines(children, isRequest, `${indent}  `)}`;
    })
    .join('');
}
