import type { FileResponse } from '../../../../kit/index.js';
import { html } from '../../pages/html.js';
import { page, problemNote, statusNote } from '../../pages/page.js';
import type { Problem, RawAnswers } from './form-answers.js';
import { fieldId, formFields } from './form-fields.js';
import type { IntakeForm } from './intake-form.entity.js';

export interface FormState {
  /** Sent back with the form, so that a repeated submission counts once. */
  token: string;
  raw: RawAnswers;
  problems: readonly Problem[];
  /** Why the form as a whole was rejected. */
  rejection?: { status: number; text: string; headers: Record<string, string> };
}

/** The page of a form. It works without scripts and shows each problem next to its field. */
export function formPage({ slug, title, description, fields }: IntakeForm, { token, raw, problems, rejection }: FormState): FileResponse {
  const isRejected = problems.length > 0 || rejection !== undefined;
  return page({
    title: isRejected ? `Not sent yet: ${title}` : title,
    status: rejection?.status ?? (problems.length > 0 ? 400 : 200),
    headers: rejection?.headers,
    body: html`<h1>${title}</h1>
${(description ?? '')
  .split(/\n{2,}/)
  .filter((text) => text.trim() !== '')
  .map((text) => html`<p>${text}</p>`)}
${rejection !== undefined && html`<div class="note problem" role="alert" tabindex="-1" autofocus><p>${rejection.text}</p></div>`}
${problemNote(
  'It has not been sent yet',
  problems.map(({ path, text }) => ({ field: fieldId(path), text })),
)}
<form class="card" method="post" action="/f/${slug}" novalidate>
<input type="hidden" name="token" value="${token}">
${formFields(fields, raw, problems)}
<div class="away" aria-hidden="true"><label for="website">Leave this empty</label>
<input type="text" id="website" name="website" tabindex="-1" autocomplete="off"></div>
<button type="submit">Send</button>
</form>`,
  });
}

export function thanksPage({ title, success_message }: IntakeForm): FileResponse {
  return page({
    title: `Sent: ${title}`,
    body: html`<h1>${title}</h1>${statusNote(html`<p>${success_message ?? 'Thank you. Your answers have been received.'}</p>`)}`,
  });
}
