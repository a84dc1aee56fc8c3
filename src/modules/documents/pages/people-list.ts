import { html, type Html } from '../../../kit/index.js';
import type { SignatureParty } from '../model/records/signature-party.entity.js';
import { timeOf } from './local-times.js';
import type { Texts } from './texts/en.js';

interface Words {
  language: string;
  timeZone: string;
  texts: Texts;
}

/** Who signs, and who has signed when. `readerId`: the party that reads the page. */
export function signerList(look: Words, parties: readonly SignatureParty[], readerId?: string): Html {
  const {
    language,
    texts: { colon, document: words },
  } = look;
  return html`<ul class="people">${parties.map((party) => {
    const { id, name, label, status, signed_at, required, earlier_signers } = party;
    const [first] = earlier_signers;
    const state = signed_at === null ? (status === 'declined' ? words.declined : words.notSigned) : null;
    return html`<li class="${signed_at !== null ? 'yes' : status === 'declined' ? 'no' : 'open'}"><span><b>${name}</b>
<span class="soft">(${label}${id === readerId && `, ${words.you}`}${!required && `, ${words.optional}`}${
      first !== undefined && `, ${words.earlier(first.name)}`
    })</span>${colon}
${state ?? html`${words.signedAt} ${timeOf(signed_at as Date, look)}`}</span></li>`;
  })}</ul>${changeNote(words, language, parties)}`;
}

/** Says that the text, which is final, may name people who no longer sign. */
function changeNote({ signerChanged }: Texts['document'], language: string, parties: readonly SignatureParty[]): Html | false {
  const names = parties.flatMap(({ earlier_signers: [first] }) => (first === undefined ? [] : [first.name]));
  return (
    names.length > 0 && html`<p class="soft">${signerChanged(new Intl.ListFormat(language, { type: 'conjunction' }).format(names))}</p>`
  );
}

/** Labels and values in a row that wraps. */
export function factLine(facts: readonly (readonly [label: string, value: string | Html | null])[]): Html {
  return html`<dl class="facts">${facts.map(
    ([label, value]) => value !== null && html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}
