import { html, type FormProblem, type Html } from '../../../../../kit/index.js';
import { FACES, type SignatureParty } from '../../../model/records/signature-party.entity.js';
import { initialsOf } from '../../content/party-stamps.js';
import { described, errorOf } from '../../../pages/document-frame.js';
import { adoptTextsIn } from '../../../pages/texts/adopt-texts.js';
import { controlId, DRAWING_URL, PICTURE_URL, sentSignature, WAYS, type Adopted } from './signature-form.js';
import type { SigningLink } from './signing-links.service.js';
import type { SignDto } from './signing.dto.js';

interface AdoptView {
  link: SigningLink;
  party: SignatureParty;
  /** What was sent; undefined for a page that was not sent yet. */
  form?: SignDto;
  problems?: readonly FormProblem[];
}

/** Of a page on which a party signs. */
export const FACES_STYLE = FACES.map(
  (face) => `@font-face { font-family: "Signature ${face}"; src: url("/papers/faces/${face}.ttf"); font-display: swap; }
.typefaces :is(.sample, .mark_place a).${face} { font: 400 1.5em/1.1 "Signature ${face}", serif; }`,
).join('');

const NAMES = {
  signature: { way: 'kind', text: 'typed_name', drawing: 'drawing', picture: 'picture' },
  initials: { way: 'initials_kind', text: 'initials', drawing: 'initials_drawing', picture: 'initials_picture' },
} as const;

/**
 * How a party adopts its signature or its initials: typed, drawn, or as a picture. Without scripts, it types. What it adopts is printed in
 * all of its places.
 */
export function adoptControls(adopted: Adopted, { link, party, form, problems = [] }: AdoptView): Html {
  const { sign } = link.look.texts;
  const texts = adoptTextsIn(link.look.language);
  const names = NAMES[adopted];
  const sent = sentSignature(form ?? {}, adopted);
  const isSignature = adopted === 'signature';
  const words = { typed: isSignature ? sign.typed : texts.initialsTyped, drawn: sign.drawn, uploaded: texts.uploaded };
  const standard = isSignature ? party.name : initialsOf(party.name);
  const text = form?.[names.text] ?? standard;
  const textId = controlId(adopted, 'text');
  const [padId, fileId] = [`${adopted}_pad`, `${adopted}_file`];
  return html`<fieldset class="adopt" data-adopt="${adopted}"><legend>${isSignature ? sign.yourSignature : texts.initials}</legend>
${WAYS.map((way) => {
  const id = controlId(adopted, way);
  return html`<div class="choice"${way !== 'typed' && html` data-scripted hidden`}>
<input type="radio" name="${names.way}" id="${id}" value="${way}"${sent.way === way && html` checked`}${described(id, problems)}>
<label for="${id}">${words[way]}</label></div>`;
})}
${errorOf(controlId(adopted, 'drawn'), problems)}${errorOf(controlId(adopted, 'uploaded'), problems)}
<div class="field" data-way="typed"><label for="${textId}">${isSignature ? sign.name : texts.initialsText}</label>
<input type="text" name="${names.text}" id="${textId}" maxlength="${isSignature ? 200 : 20}" autocomplete="${isSignature ? 'name' : 'off'}"
value="${text}"${described(textId, problems)}>
${errorOf(textId, problems)}
${isSignature && faces(sent.face, texts)}</div>
<div class="field" data-way="drawn" hidden>
<p class="hint" id="${padId}_hint">${sign.drawHint}</p>
<canvas id="${padId}" role="img" aria-label="${sign.drawing}" aria-describedby="${padId}_hint" tabindex="-1"></canvas>
<button type="button" class="quiet">${sign.clear}</button>
<p class="hint" role="status" data-drawn="${sign.isDrawn}" data-empty="${sign.isEmpty}"></p>
<input type="hidden" name="${names.drawing}" value="${sent.way === 'drawn' && DRAWING_URL.test(sent.drawing) && sent.drawing}"></div>
<div class="field" data-way="uploaded" hidden><label for="${fileId}">${texts.picture}</label>
<p class="hint" id="${fileId}_hint">${texts.pictureHint}</p>
<input type="file" id="${fileId}" accept="image/png,image/jpeg" aria-describedby="${fileId}_hint">
<canvas class="preview" role="img" aria-label="${texts.picture}" hidden></canvas>
<input type="hidden" name="${names.picture}" value="${sent.way === 'uploaded' && PICTURE_URL.test(sent.picture) && sent.picture}"></div>
</fieldset>`;
}

function faces(chosen: string | null, texts: ReturnType<typeof adoptTextsIn>): Html {
  return html`<div class="faces" role="radiogroup" aria-label="${texts.face}">${(['plain', ...FACES] as const).map(
    (face) => html`<div class="choice"><input type="radio" name="face" id="face_${face}" value="${face}"${
      (chosen ?? 'plain') === face && html` checked`
    }><label for="face_${face}">${texts.faces[face]} <span class="sample ${face}" data-sample="${texts.sample}" aria-hidden="true"></span>
</label></div>`,
  )}</div>`;
}
