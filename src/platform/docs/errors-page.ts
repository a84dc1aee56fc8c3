import type { ErrorSpec } from '../../kit/index.js';
import { escapeHtml } from '../http/error-page.js';

/** The page that every error's `doc_url` leads to. */
export function errorsPage(errors: readonly ErrorSpec[]): string {
  const rows = [...errors]
    .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(({ code, status, type, message }) => `<tr id="${code}"><th scope="row"><a href="#${code}">${code}</a></th><td>${status}</td><td>${type}</td><td>${escapeHtml(message)}</td></tr>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Errors - Work suite API</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1c1c1c}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-bottom:1px solid #d4d4d4}tr:target{background:#fff3c4}</style></head>
<body><h1>Errors</h1><p>Every refusal has the body <code>{"error": {"type", "code", "message", "request_id", ...}}</code>. Switch on <code>code</code>;
<code>param</code> names the field at fault, <code>allowed</code> the valid values when they are few.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Type</th><th scope="col">What to do</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></body></html>`;
}
