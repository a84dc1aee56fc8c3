import { honeypot, html, paragraphs, problemNote, statusNote, type FileResponse, type Html } from '../../../../kit/index.js';
import { documentPage } from '../../pages/document-frame.js';
import type { Look } from '../../settings/document-looks.service.js';
import type { Problem, RawAnswers } from './form-answers.js';
import { fieldId, formFields } from './form-fields.js';
import type { UploadProblem } from './form-uploads.service.js';
import type { IntakeForm } from './intake-form.entity.js';
import { ROWS_SCRIPT } from './rows-script.js';
import { formTexts, type FormTexts } from './texts/texts.js';

/** A form that accepts submissions, and how its pages look. */
export interface OpenForm {
  form: IntakeForm;
  look: Look;
  /** Of the project. */
  timeZone: string;
}

export interface FormState {
  /** Sent back with the form, so that a repeated submission counts once. */
  token: string;
  raw: RawAnswers;
  problems: readonly Problem[];
  /** Why the form as a whole was rejected. */
  rejection?: { status: number; text: string; headers: Record<string, string> };
  /** Why the file could not be used. */
  upload?: UploadProblem;
  /** The number of fields that a file has just filled in; `problems` then lists values to check. */
  filled?: number;
}

const BUSY_SECONDS = '10';
const UPLOAD = 'upload';

/** The page of a form. It works without scripts and shows each problem next to its field. */
export function formPage({ form, look, timeZone }: OpenForm, state: FormState): FileResponse {
  const { slug, title, description, fields, document_type_id } = form;
  const { token, raw, problems, rejection, upload, filled } = state;
  const texts = formTexts(form.language);
  const isRejected = filled === undefined && (problems.length > 0 || rejection !== undefined || upload !== undefined);
  const filledText = filled === 0 ? texts.upload.filledNone : texts.upload.filled(filled ?? 0);
  return documentPage(look, {
    title: isRejected ? texts.rejectedTitle(title) : title,
    purpose: look.texts.purposes.forms,
    script: Object.values(fields.properties).some(({ type }) => type === 'array') ? ROWS_SCRIPT : null,
    status: rejection?.status ?? upload?.status ?? (isRejected ? 400 : 200),
    headers: upload?.isBusy ? { 'Retry-After': BUSY_SECONDS } : rejection?.headers,
    body: html`<h1>${title}</h1>
${paragraphs(description)}
${rejection !== undefined && rejectionNote(rejection.text)}
${filled !== undefined && problems.length === 0 && statusNote(html`<p>${filledText}</p>`)}
${problemNote(filled === undefined ? texts.notSent : filledText, [
  ...(upload ? [{ field: UPLOAD, text: upload.text }] : []),
  ...problems.map(({ path, text }) => ({ field: fieldId(path), text })),
])}
<form class="card" method="post" action="/f/${slug}" novalidate>
<input type="hidden" name="token" value="${token}">
${document_type_id !== null && uploadField(slug, upload, texts)}
${formFields(fields, { raw, problems, writing: { language: form.language, timeZone } })}
${honeypot()}
<button type="submit">${texts.send}</button>
</form>`,
  });
}

function rejectionNote(text: string): Html {
  return html`<div class="note problem" role="alert" tabindex="-1" autofocus><p>${text}</p></div>`;
}

/** The Enter key in a field presses the first button of a form, so a hidden one sends the form. */
function uploadField(slug: string, problem: UploadProblem | undefined, { upload, send, optional }: FormTexts): Html {
  const error = problem !== undefined && html`<p class="error" id="${UPLOAD}-error">${problem.text}</p>`;
  const described = html`aria-describedby="${UPLOAD}-hint${problem !== undefined && ` ${UPLOAD}-error`}"`;
  const invalid = problem !== undefined && html` aria-invalid="true"`;
  return html`<div class="away" aria-hidden="true"><button type="submit" tabindex="-1">${send}</button></div>
<div class="field upload"><label for="${UPLOAD}">${upload.label} <span class="soft">(${optional})</span></label>
<p class="hint" id="${UPLOAD}-hint">${upload.hint}</p>${error}
<input type="file" id="${UPLOAD}" name="file" accept="application/pdf,.pdf" ${described}${invalid}>
<button type="submit" class="quiet" formaction="/f/${slug}/file" formenctype="multipart/form-data">${upload.button}</button></div>`;
}

export function thanksPage({ form: { title, success_message, language }, look }: OpenForm): FileResponse {
  const texts = formTexts(language);
  return documentPage(look, {
    title: texts.sentTitle(title),
    purpose: look.texts.purposes.forms,
    script: null,
    body: html`<h1>${title}</h1>${statusNote(html`<p>${success_message ?? texts.thanks}</p>`)}`,
  });
}
