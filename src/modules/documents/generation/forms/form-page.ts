import type { FileResponse } from '../../../../kit/index.js';
import { html } from '../../pages/html.js';
import { page, problemNote, statusNote } from '../../pages/page.js';
import type { Problem, RawAnswers } from './form-answers.js';
import { fieldId, formFields } from './form-fields.js';
import type { IntakeForm } from './intake-form.entity.js';

export interface FormState {
  /** Comes back with the form, so that what is sent twice counts once. */
  token: string;
  raw: RawAnswers;
  problems: readonly Problem[];
  /** What keeps the form as a whole from being taken. */
  refusal?: { status: number; text: string; headers: Record<string, string> };
}

/** The page of a form. It works without scripts, and says beside each field what is wrong with it. */
export function formPage({ slug, title, description, fields }: IntakeForm, { token, raw, problems, refusal }: FormState): FileResponse {
  const isRefused = problems.length > 0 || refusal !== undefined;
  return page({
    title: isRefused ? `Not sent yet: ${title}` : title,
    status: refusal?.status ?? (problems.length > 0 ? 400 : 200),
    headers: refusal?.headers,
    body: html`<h1>${title}</h1>
${(description ?? '')
  .split(/\n{2,}/)
  .filter((text) => text.trim() !== '')
  .map((text) => html`<p>${text}</p>`)}
${refusal !== undefined && html`<div class="note problem" role="alert" tabindex="-1" autofocus><p>${refusal.text}</p></div>`}
${problemNote(
  'It has not been sent yet',
  problems.map(({ path, text }) => ({ field: fieldId(path), text })),
)}
<form class="card" method="post" action="/f/${slug}" novalidate>
<input type="hidden" name="token" value="${token}">
${formFields(fields, raw, problems)}
<div class="away" aria-hidden="true"><label for="website">Leave this empty</label><input type="text" id="website" name="website" tabindex="-1" autocomplete="off"></div>
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
