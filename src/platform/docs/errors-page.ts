import { escapeHtml, Html } from '../../kit/index.js';
import type { RenderLine } from './reference/pages.js';
import { HttpErrors } from '../http/errors/http-exceptions.js';
import type { CatalogedError } from '../registry/module-registry.js';

const BY_STATUS = new Set(Object.values(HttpErrors).map(({ spec }) => spec));

/** Whether the error is only that of a status of HTTP, with which exceptions of a team's own modules can refuse a call. */
export function isOfStatus({ spec }: CatalogedError): boolean {
  return BY_STATUS.has(spec);
}

/** The page that every error's `doc_url` links to. */
export function errorsPage(errors: readonly CatalogedError[], line: RenderLine): Html {
  const sorted = errors
    .filter((error) => !isOfStatus(error))
    .sort(({ spec: one, anchor }, { spec: other, anchor: otherAnchor }) => one.status - other.status || (anchor < otherAnchor ? -1 : 1));
  const anchors = new Set(errors.map(({ anchor }) => anchor));
  const rows = sorted.map(({ spec: { code, status, type, message, description = message }, anchor, module }) => {
    // a link that names the code only leads to the first of its meanings
    const first = anchors.has(code) ? '' : `<span id="${code}"></span>`;
    anchors.add(code);
    const of = module === null ? '' : ` (${escapeHtml(module)})`;
    return (
      `<tr id="${anchor}"><th scope="row">${first}<a href="#${anchor}">${code}</a>${of}</th>` +
      `<td data-label="Status">${status}</td><td data-label="Type">${type}</td>` +
      `<td data-label="What to do">${line(description).markup}</td></tr>`
    );
  });
  const ofStatuses = errors
    .filter(isOfStatus)
    .map(({ spec: { code, status }, anchor }) => `<li id="${anchor}"><code>${code}</code> ${status}</li>`);
  return new Html(
    `<p>Every error response has the body <code>{"error": {"type", "code", "message", "request_id", ...}}</code>. Switch on
<code>code</code>;
<code>param</code> names the invalid field, <code>allowed</code> lists the valid values when there are few. Where modules give a code
different meanings, each has an entry, and <code>doc_url</code> leads to that of the route.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Type</th><th scope="col">What to
do</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
<h2 id="statuses">Other statuses</h2>
<p>No route of the suite answers these. A module of your own does if it throws an exception with the status; its message says why.</p>
<ul>${ofStatuses.join('\n')}</ul>`,
  );
}
