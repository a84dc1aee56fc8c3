import type { ErrorSpec } from '../../kit/internal.js';
import { escapeHtml } from '../../kit/index.js';
import { page } from './page.js';

/** The page that every error's `doc_url` links to. */
export function errorsPage(errors: readonly ErrorSpec[]): string {
  const rows = [...errors]
    .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(
      ({ code, status, type, message }) =>
        `<tr id="${code}"><th scope="row"><a href="#${code}">${code}</a></th>` +
        `<td>${status}</td><td>${type}</td><td>${escapeHtml(message)}</td></tr>`,
    );
  return page(
    'Errors',
    `<p>Every error response has the body <code>{"error": {"type", "code", "message", "request_id", ...}}</code>. Switch on
<code>code</code>;
<code>param</code> names the invalid field, <code>allowed</code> lists the valid values when there are few.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Type</th><th scope="col">What to
do</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`,
  );
}
