import { honeypot, html, page, paragraphs, problemNote, statusNote, type FileResponse, type Html } from '../../../../kit/index.js';
import { DOCUMENT_STYLE } from '../../pages/document-style.js';
import type { Problem, RawAnswers } from './form-answers.js';
import { fieldId, formFields } from './form-fields.js';
import type { UploadProblem } from './form-uploads.service.js';
import type { IntakeForm } from './intake-form.entity.js';

/** A form that accepts submissions, and the name of the organization that it belongs to. */
export interface OpenForm {
  form: IntakeForm;
  organization: string;
}

export interface FormState {
  /** Sent back with the form, so that a repeated submission counts once. */
  token: string;
  raw: RawAnswers;
  problems: readonly Problem[];
  /** Why the form as a whole was rejected. */
  rejection?: { status: number; text: string; headers: Record<string, string> };
  /** Why the file fills in nothing. */
  upload?: UploadProblem;
  /** The number of fields that a file has just filled in; `problems` are then what to look at. */
  filled?: number;
}

/** The button that has a file read. */
export const FILL_IN = 'Fill in from the file';
const PLACE = 'Forms';
const BUSY_SECONDS = '10';
const UPLOAD = 'upload';

/** The page of a form. It works without scripts and shows each problem next to its field. */
export function formPage({ form, organization }: OpenForm, state: FormState): FileResponse {
  const { slug, title, description, fields, document_type_id } = form;
  const { token, raw, problems, rejection, upload, filled } = state;
  const isRejected = filled === undefined && (problems.length > 0 || rejection !== undefined || upload !== undefined);
  return page({
    title: isRejected ? `Not sent yet: ${title}` : title,
    host: { name: organization, place: PLACE },
    stylesheet: DOCUMENT_STYLE,
    status: rejection?.status ?? upload?.status ?? (isRejected ? 400 : 200),
    headers: upload?.isBusy ? { 'Retry-After': BUSY_SECONDS } : rejection?.headers,
    body: html`<h1>${title}</h1>
${paragraphs(description)}
${rejection !== undefined && rejectionNote(rejection.text)}
${filled !== undefined && problems.length === 0 && statusNote(html`<p>${filledText(filled)}</p>`)}
${problemNote(filled === undefined ? 'It has not been sent yet' : filledText(filled), [
  ...(upload ? [{ field: UPLOAD, text: upload.text }] : []),
  ...problems.map(({ path, text }) => ({ field: fieldId(path), text })),
])}
<form class="card" method="post" action="/f/${slug}" novalidate>
<input type="hidden" name="token" value="${token}">
${document_type_id !== null && uploadField(slug, upload)}
${formFields(fields, raw, problems)}
${honeypot()}
<button type="submit">Send</button>
</form>`,
  });
}

function rejectionNote(text: string): Html {
  return html`<div class="note problem" role="alert" tabindex="-1" autofocus><p>${text}</p></div>`;
}

function filledText(count: number): string {
  if (count === 0) return 'No field was filled in from the file. Please fill in the fields, then send.';
  return `${count === 1 ? '1 field was' : `${count} fields were`} filled in from the file. Please check everything, then send.`;
}

/** The Enter key in a field presses the first button of a form, so a hidden one sends the form. */
function uploadField(slug: string, problem: UploadProblem | undefined): Html {
  const hint = 'The values in the file are copied into the fields below and replace what is there. Nothing is sent yet. At most 10 MiB.';
  const error = problem !== undefined && html`<p class="error" id="${UPLOAD}-error">${problem.text}</p>`;
  const described = html`aria-describedby="${UPLOAD}-hint${problem !== undefined && ` ${UPLOAD}-error`}"`;
  const invalid = problem !== undefined && html` aria-invalid="true"`;
  return html`<div class="away" aria-hidden="true"><button type="submit" tabindex="-1">Send</button></div>
<div class="field upload"><label for="${UPLOAD}">Filled-in PDF <span class="soft">(optional)</span></label>
<p class="hint" id="${UPLOAD}-hint">${hint}</p>${error}
<input type="file" id="${UPLOAD}" name="file" accept="application/pdf,.pdf" ${described}${invalid}>
<button type="submit" class="quiet" formaction="/f/${slug}/file" formenctype="multipart/form-data">${FILL_IN}</button></div>`;
}

export function thanksPage({ form: { title, success_message }, organization }: OpenForm): FileResponse {
  return page({
    title: `Sent: ${title}`,
    host: { name: organization, place: PLACE },
    body: html`<h1>${title}</h1>${statusNote(html`<p>${success_message ?? 'Thank you. Your answers have been received.'}</p>`)}`,
  });
}
