import { html, problemNote, statusNote, type FileResponse, type FormProblem, type Html } from '../../../../kit/index.js';
import { deciderOf } from '../../model/records/shown-request.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { described, documentPage, errorOf, reading, READING_SCRIPT, stepLine } from '../../pages/document-frame.js';
import { timeOf } from '../../pages/local-times.js';
import { renderedDocument } from '../../pages/rendered-document.js';
import { factLine } from '../../pages/people-list.js';
import { documentPages, downloads, PAGES_SCRIPT, type ShownFile } from '../../pages/document-pages.js';
import type { SubmissionSummary } from '../approvals/submissions.service.js';
import type { Texts } from '../../pages/texts/en.js';
import type { CommentDto, DecideDto } from './approval-page.dto.js';
import type { ApprovalPageView } from './approval-page.service.js';

interface PageView extends ApprovalPageView {
  /** The document as HTML. */
  content: string;
  files: readonly ShownFile[];
  /** The submitted form, if it has problems. */
  form: DecideDto & CommentDto;
  problems: readonly FormProblem[];
}

/** The page on which an approver reads a document, decides, and later sees the outcome. */
export function approvalPage(view: PageView): FileResponse {
  const { link, document, request, problems, content } = view;
  const { texts } = link.look;
  const { approve, steps } = texts;
  const heading = request ? approve.heading(document.title) : document.title;
  const text = renderedDocument(content, texts.document);
  const shown = documentPages({ texts, language: link.look.language, base: `/a/${link.token}`, files: view.files, text });
  const bar = { target: 'decide_part', text: approve.bar, skip: texts.document.skip, title: document.title };
  return documentPage(link.look, {
    title: heading,
    purpose: texts.purposes.approve,
    status: problems.length > 0 ? 400 : 200,
    script: PAGES_SCRIPT + (request ? READING_SCRIPT : ''),
    loads: true,
    body: html`${document.mode === 'test' && html`<p class="mark">${texts.document.test}</p>`}
<h1>${heading}</h1>
${stepLine(steps.label, [steps.read, steps.decide, steps.done], request ? (problems.length > 0 ? 1 : 0) : 3)}
${problemNote(texts.sign.notDone, problems)}
${problems.length === 0 && !request && statusNote(stateText(view))}
${about(view)}
${request ? reading(shown, bar) : html`<div class="reading">${shown}</div>`}
${request && html`<div id="decide_part" tabindex="-1">${decideCard(view, request)}</div>`}
${talk(view)}`,
  });
}

/** The member's decision, and the state of the document. */
function stateText({ link, document, requests }: ApprovalPageView): string {
  const { approve } = link.look.texts;
  const { id, email } = link.member;
  // what a substitute decided is not the decision of whom the request names
  const isOwn = ({ approver_id, decided_by }: ApprovalRequest) => (decided_by ? decided_by.email === email : approver_id === id);
  const own = requests.filter(isOwn).at(-1)?.decision;
  const did = own === 'approved' || own === 'rejected' || own === 'returned' ? approve.youDid[own] : approve.notDecided;
  return `${did} ${approve.states[document.state]}`;
}

function about({ link, document, request, requests, members, summary, files }: PageView): Html {
  const { texts } = link.look;
  const { approve, document: words } = texts;
  return html`<section class="about" aria-label="${words.about}">
${factLine([
  [words.number, document.number],
  ...summary.amounts,
  [approve.submittedBy, summary.submitter],
  [approve.step, request?.step_name ?? null],
  [approve.yourPlace, request && placeOf(link.member.id, request, members)],
  [approve.due, request?.due_at ? timeOf(request.due_at, link.look) : null],
])}
${
  summary.comment !== null &&
  html`<p><span class="soft">${approve.comment}${texts.colon}</span> <span class="said">${summary.comment}</span></p>`
}
${changes(summary, texts)}
${
  requests.length > 0 &&
  html`<h2>${approve.route}</h2>
<ul class="people">${requests.map((one) => requestItem({ link, members }, one))}</ul>`
}
${downloads(link.look, { base: `/a/${link.token}`, files, isSigned: false })}
</section>`;
}

/** The name of the member who is away, if their substitute decides. */
function placeOf(memberId: string, { approver_id }: ApprovalRequest, members: ApprovalPageView['members']): string | null {
  return approver_id === null || approver_id === memberId ? null : (members.get(approver_id)?.name ?? null);
}

/** What has changed since approvers last saw the document. */
function changes({ changes: found }: SubmissionSummary, { changes: texts, colon }: Texts): Html | false {
  if (found === null) return false;
  const { heading, fields } = found;
  if (fields.length === 0) return html`<h2>${heading}</h2><p class="soft">${texts.none}</p>`;
  return html`<h2 id="changes">${heading}</h2>
<ul class="plain" aria-labelledby="changes">${fields.map(
    ({ label, before, after }) => html`<li><b>${label}</b>
${changed(`${texts.before}${colon}`, before, (text) => html`<del class="said">${text}</del>`)}
${changed(`${texts.after}${colon}`, after, (text) => html`<ins class="said">${text}</ins>`)}</li>`,
  )}</ul>`;
}

/** As many lines of a changed value are shown at once. */
const MOST_LINES = 6;

/** A value before or after the change. A long one, such as the rows of a table below their number, can be opened. */
function changed(label: string, value: string, marked: (text: string) => Html): Html {
  const [first, ...others] = value.split('\n');
  if (others.length < MOST_LINES) return html`<div><span class="soft">${label}</span> ${marked(value)}</div>`;
  return html`<details><summary><span class="soft">${label}</span> ${first}</summary>${marked(others.join('\n'))}</details>`;
}

const MARKS: Readonly<Record<string, string>> = { approved: 'yes', rejected: 'no', returned: 'no' };

function requestItem({ link, members }: Pick<ApprovalPageView, 'link' | 'members'>, request: ApprovalRequest): Html {
  const { texts } = link.look;
  const { approve, document: words } = texts;
  const { decision, decided_at, step_name, comment } = request;
  const { deciderId, inPlaceOfId } = deciderOf(request);
  const nameOf = (id: string | null) => (id === null ? undefined : members.get(id)?.name);
  const decider = nameOf(deciderId) ?? approve.anyone;
  const absent = nameOf(inPlaceOfId);
  const approver = absent === undefined ? decider : approve.inPlaceOf(decider, absent);
  return html`<li class="${MARKS[decision] ?? 'open'}"><span><b>${approver}</b>
<span class="soft">(${step_name}${deciderId === link.member.id && `, ${words.you}`})${texts.colon}</span>
${approve.decisions[decision]}${decided_at !== null && html`, ${timeOf(decided_at, link.look)}`}
${comment !== null && html`<p class="said">${comment}</p>`}</span></li>`;
}

function decideCard({ link, form, problems, requiresComment }: PageView, request: ApprovalRequest): Html {
  const { approve } = link.look.texts;
  const choice = (value: 'approve' | 'return' | 'reject', text: string, hint: string) =>
    html`<div class="choice"><input type="radio" name="decision" id="decision_${value}" value="${value}" aria-describedby="hint_${value}"${
      form.decision === value && html` checked`
    }>
<div><label for="decision_${value}">${text}</label><p class="hint" id="hint_${value}">${hint}</p></div></div>`;
  return html`<section class="card" aria-labelledby="decide_heading">
<h2 id="decide_heading">${approve.card}</h2>
<form method="post" action="/a/${link.token}/decide">
<input type="hidden" name="decision_id" value="${request.id}">
<fieldset id="decision"><legend class="away">${approve.card}</legend>
${errorOf('decision', problems)}
<div class="choices">${choice('approve', approve.approve, approve.approveHint)}
${choice('return', approve.return, approve.returnHint)}
${choice('reject', approve.reject, approve.rejectHint)}</div></fieldset>
<div class="field"><label for="comment">${approve.comment}${requiresComment && ' *'}</label>
<p class="hint" id="comment_hint">${approve.commentHint}</p>
<textarea name="comment" id="comment" rows="4"${described('comment', problems, 'comment_hint')}>${form.comment ?? ''}</textarea>
${errorOf('comment', problems)}</div>
<button>${approve.button}</button>
</form></section>`;
}

/** The comments on the document, and the form for a new one. */
function talk({ link, comments, form, problems }: PageView): Html {
  const { texts } = link.look;
  const { approve } = texts;
  const isOpen = problems.some(({ field }) => field === 'body');
  return html`<section class="about" id="comments"><h2>${approve.comments}</h2>
${
  comments.length === 0
    ? html`<p class="soft">${approve.noComments}</p>`
    : html`<ul class="plain">${comments.map(
        ({ author, body, created_at }) =>
          html`<li><span class="soft">${author.email ?? link.look.organization}, ${timeOf(created_at, link.look)}</span>
<br><span class="said">${body}</span></li>`,
      )}</ul>`
}
<details${isOpen && html` open`}><summary>${approve.addComment}</summary>
<form method="post" action="/a/${link.token}/comment">
<div class="field"><label for="body">${approve.comment}</label>
<textarea name="body" id="body" rows="3"${described('body', problems)}>${form.body ?? ''}</textarea>
${errorOf('body', problems)}</div>
<button class="quiet">${approve.addCommentButton}</button></form></details>
</section>`;
}
