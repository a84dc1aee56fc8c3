import { html, page, type DomainError, type FileResponse } from '../../../kit/index.js';

const HEADINGS: Readonly<Record<number, string>> = {
  404: 'There is nothing here',
  410: 'This link no longer works',
  429: 'Too many requests',
};

/** The HTML page of an error, for a browser. */
export function errorPage({ spec: { status }, message }: DomainError, requestId: string): FileResponse {
  const heading = HEADINGS[status] ?? (status >= 500 ? 'Something went wrong' : 'That did not work');
  return page({
    title: heading,
    host: null,
    status,
    body: html`<section class="card"><h1>${heading}</h1><p>${message}</p><p class="hint">Reference: ${requestId}</p></section>`,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  });
}
