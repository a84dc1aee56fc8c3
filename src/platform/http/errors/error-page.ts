import { html, page, type DomainError, type FileResponse } from '../../../kit/index.js';

const HEADINGS: Readonly<Record<number, string>> = {
  404: 'There is nothing here',
  410: 'This link no longer works',
  429: 'Too many requests',
};

/** The HTML page of an error, for a browser. `next` is where it leads on to. */
export function errorPage({ spec: { status }, message }: DomainError, requestId: string, next: string | null = null): FileResponse {
  const heading = HEADINGS[status] ?? (status >= 500 ? 'Something went wrong' : 'That did not work');
  return page({
    title: heading,
    host: null,
    status,
    style: 'main:first-child { max-width: 32rem; padding-top: min(16vh, 9rem); } code { display: block; font-size: .75rem; }',
    body: html`<section class="card"><h1>${heading}</h1><p>${message}</p><p class="hint">Reference: <code>${requestId}</code></p>${
      next !== null && html`<p><a class="button" href="${next}">Go on</a></p>`
    }</section>`,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  });
}
