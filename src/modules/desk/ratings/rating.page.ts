import { html, labelled, page, statusNote, type FileResponse, type PageBrand } from '../../../kit/index.js';

/** What the requester of a ticket is asked. */
export interface RatingQuestion {
  token: string;
  organization: string;
  brand: PageBrand;
  number: string;
  subject: string;
  /** Null until they have answered. */
  score: number | null;
  comment: string | null;
}

const SCORES = [
  [5, 'Very good'],
  [4, 'Good'],
  [3, 'All right'],
  [2, 'Poor'],
  [1, 'Very poor'],
] as const;
export const LONGEST_COMMENT = 2000;

const STYLE = `.scores { display: grid; gap: .5rem; border: 0; padding: 0; margin: 0 0 1.25rem; }
.scores legend { font-weight: 600; margin-bottom: .5rem; padding: 0; }
.scores label { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; padding: .25rem .875rem; cursor: pointer;
  border: 1px solid var(--line); border-radius: .625rem; font-weight: 400; }
.scores label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); }
.scores input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.scores .stars { margin-left: auto; color: var(--accent); letter-spacing: .1em; }
.scores .rest { opacity: .3; }`;

/** The page behind the link of a rating mail. Mail scanners follow links, so it only shows; the form records. */
export function ratingPage(question: RatingQuestion, isRecorded: boolean): FileResponse {
  const { token, organization, brand, number, subject, score, comment } = question;
  const choices = SCORES.map(([value, label]) => {
    const stars = html`${'★'.repeat(value)}<span class="rest">${'★'.repeat(5 - value)}</span>`;
    return html`<label><input type="radio" name="score" value="${value}" required${value === score && html` checked`}>
<span>${label}</span><span class="stars" aria-hidden="true">${stars}</span></label>`;
  });
  const title = isRecorded ? 'Thank you' : 'How was our help?';
  const form = html`<form method="post" action="/t/${token}">
<fieldset class="scores" id="score"><legend>Your rating</legend>${choices}</fieldset>
${labelled({ id: 'comment', label: 'What should we know?', isOptional: true }, (attributes) => {
  return html`<textarea name="comment" rows="4" maxlength="${LONGEST_COMMENT}"${attributes}>\n${comment}</textarea>`;
})}
<button>${score === null ? 'Send rating' : 'Change rating'}</button>
</form>`;
  return page({
    title,
    host: { name: organization, purpose: 'Support', brand },
    style: STYLE,
    body: html`<h1>${title}</h1>
<p class="lead">${number}: <bdi>${subject}</bdi></p>
${
  isRecorded
    ? html`${statusNote('Your rating is recorded.')}<details class="card"><summary>Change your rating</summary>${form}</details>`
    : html`<div class="card">${form}</div>`
}`,
  });
}
