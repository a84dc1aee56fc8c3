import { timeText, html, page, problemNote, type FileResponse, type Html } from '../../../../kit/index.js';
import { DOCUMENT_STYLE } from '../../pages/document-style.js';
import { factLine } from '../../pages/people-list.js';
import type { VerificationDto } from './verification.dto.js';
import type { VerificationTexts } from './verification-texts.js';

interface Shown {
  language: string;
  texts: VerificationTexts;
  result?: VerificationDto;
  /** Why the file was not verified. */
  problem?: { status: number; text: string };
}

/** A file that is dropped anywhere on the page is verified at once. Without it, the field for the file takes what is dropped on it. */
const DROP_SCRIPT = `
(() => {
  const field = document.getElementById('file');
  const isFile = ({ dataTransfer }) => dataTransfer.types.includes('Files');
  const mark = (over) => field.classList.toggle('over', over);
  addEventListener('dragover', (event) => { if (isFile(event)) { event.preventDefault(); mark(true); } });
  addEventListener('dragleave', ({ relatedTarget }) => { if (relatedTarget === null) mark(false); });
  addEventListener('drop', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(false);
    const one = new DataTransfer();
    one.items.add(event.dataTransfer.files[0]);
    field.files = one.files;
    field.form.requestSubmit();
  });
})();
`;

/** The page on which anyone verifies a PDF. It works without a script. */
export function verificationPage({ language, texts, result, problem }: Shown): FileResponse {
  return page({
    // a screen reader begins with it
    title: result ? texts.verdicts[result.verdict] : problem ? texts.problem : texts.title,
    language,
    host: null,
    stylesheet: DOCUMENT_STYLE,
    script: DROP_SCRIPT,
    status: problem?.status,
    body: html`<h1>${texts.title}</h1>
${problem !== undefined && problemNote(texts.problem, [{ field: 'file', text: problem.text }])}
${result !== undefined && outcome(result, language, texts)}
${result === undefined && html`<p class="lead">${texts.lead}</p>`}
<section class="card" aria-label="${texts.file}">
${result !== undefined && html`<h2>${texts.again}</h2>`}
<form method="post" action="/verify" enctype="multipart/form-data">
<input type="hidden" name="language" value="${language}">
<div class="field"><label for="file">${texts.file}</label>
<p class="hint" id="file_hint">${texts.hint}</p>
<input type="file" name="file" id="file" class="drop" accept="application/pdf,.pdf" required aria-describedby="file_hint"></div>
<button>${texts.button}</button>
</form></section>`,
  });
}

function outcome(verified: VerificationDto, language: string, texts: VerificationTexts): Html {
  const { verdict, document, problem, signatures, sha256, bytes } = verified;
  const time = (at: string) => timeText(new Date(at), language, 'UTC');
  const { facts } = texts;
  const isBad = ['changed', 'unreadable'].includes(verdict) || signatures.some(({ is_intact }) => is_intact === false);
  return html`<section aria-labelledby="verdict">
<div class="note ${isBad ? 'problem' : verdict === 'unchanged' ? 'done' : ''}"><h2 id="verdict">${texts.verdicts[verdict]}</h2>
${document && html`<p>${document.is_executed ? texts.executed : texts.unsigned}</p>`}
${verdict === 'unknown' && html`<p>${signatures.length === 0 ? texts.print : texts.elsewhere}</p>`}</div>
${document?.is_test === true && html`<p class="mark">${texts.test}</p>`}
${factLine([
  [facts.organization, document?.organization ?? null],
  [facts.number, document?.number ?? null],
  [facts.document, document?.file?.title ?? null],
  [
    facts.file,
    document?.file ? html`${document.file.name} <span class="soft">(${document.file.position} / ${document.file.of})</span>` : null,
  ],
  [facts.completed, document?.completed_at ? time(document.completed_at) : null],
  [facts.state, document?.is_executed ? stateText(document.state, texts) : null],
  [facts.evidence, document?.is_executed ? texts.evidence[document.evidence] : null],
  [facts.bytes, new Intl.NumberFormat(language).format(bytes)],
  [facts.sha256, html`<code>${sha256}</code>`],
])}
${
  document &&
  document.parties.length > 0 &&
  html`<h3>${texts.signedBy}</h3><ul class="people">${document.parties.map(
    ({ name, label, email, signed_at }) => html`<li class="yes"><span><b>${name}</b>
<span class="soft">(${label}, ${email})</span> ${time(signed_at)}</span></li>`,
  )}</ul>`
}
<h3>${texts.signatures}</h3>
${
  signatures.length === 0
    ? html`<p class="soft">${problem === null ? texts.noSignatures : texts.unreadSignatures}</p>`
    : html`<ul class="people">${signatures.map((one) => signatureItem(one, time, texts))}</ul><p class="soft">${texts.trust}</p>`
}
${document && document.evidence_chain.length > 0 && chainOf(document.evidence_chain, texts)}
</section>`;
}

type Time = (at: string) => string;

function signatureItem(
  { signer, kind, signed_at, is_intact, is_own_seal, later_changes, certificate, time_stamp }: VerificationDto['signatures'][number],
  time: Time,
  texts: VerificationTexts,
): Html {
  const { stamp } = texts;
  const what = kind === 'time_stamp' ? texts.timeStamp : is_own_seal ? texts.ownSeal : null;
  const stampState = time_stamp?.is_intact === null ? stamp.unclear : time_stamp?.is_intact ? stamp.intact : stamp.broken;
  return html`<li class="${is_intact === false ? 'no' : 'yes'}"><div><b>${signer}</b>
<span class="soft">${what !== null && `(${what}) `}${signed_at !== null && time(signed_at)}</span>
<br>${is_intact === null ? texts.unclear : is_intact ? texts.intact : texts.broken};
${texts.later[later_changes]}
<details><summary>${texts.details}</summary>
${
  certificate === null
    ? html`<p class="soft">${texts.certificate.none}</p>`
    : factLine([
        [texts.certificate.subject, certificate.subject],
        [texts.certificate.issuer, certificate.issuer],
        [texts.certificate.validity, html`${time(certificate.valid_from)} – ${time(certificate.valid_until)}`],
      ])
}
${
  kind === 'signature' &&
  factLine([
    [
      stamp.label,
      time_stamp === null
        ? stamp.none
        : html`${time_stamp.authority} ${time_stamp.stamped_at !== null && time(time_stamp.stamped_at)} (${stampState})`,
    ],
  ])
}
</details></div></li>`;
}

function chainOf(links: NonNullable<VerificationDto['document']>['evidence_chain'], { chain }: VerificationTexts): Html {
  return html`<h3>${chain.title}</h3><p class="soft">${chain.lead}</p>
<ol class="people" start="0">${links.map(
    ({ label, sha256, is_intact }, position) => html`<li class="${is_intact === false ? 'no' : 'yes'}"><div>
<b>${String(position)}. ${label ?? chain.file}</b>: ${is_intact === null ? chain.erased : is_intact ? chain.intact : chain.broken}
${factLine([
  [chain.sha256, html`<code>${sha256}</code>`],
  [chain.previous, position === 0 ? null : html`<code>${links[position - 1].sha256}</code>`],
])}</div></li>`,
  )}</ol>`;
}

function stateText(state: NonNullable<VerificationDto['document']>['state'], { states }: VerificationTexts): string {
  return state === 'revoked' || state === 'superseded' || state === 'expired' ? states[state] : states.other;
}
