import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml } from '../../../../kit/index.js';
import type { TemplateField } from './field-tokens.js';

/** A party that signs, as a document shows it. */
export interface SigningParty {
  key: string;
  label: string;
  /** Null while the document does not have it. */
  name: string | null;
}

const LINE = '________________________';

/** The lines on which parties sign, side by side. */
export function signatureToken(parties: readonly SigningParty[]): Token {
  const token = new MarkdownIt.Token('signatures', '', 0);
  token.block = true;
  token.meta = { parties };
  return token;
}

/** The day on which a party signed: a line in the text until then. */
export function signedOnToken(party: SigningParty): Token {
  const token = new MarkdownIt.Token('signed_on', '', 0);
  token.meta = { parties: [party] };
  token.content = '__________';
  return token;
}

/** What a party fills in: a line in the text until then. */
export function placedToken(field: TemplateField): Token {
  const token = new MarkdownIt.Token('placed', '', 0);
  token.meta = { field };
  token.content = field.kind === 'checkbox' ? '__' : '__________';
  return token;
}

export function fieldOf(token: Token): TemplateField {
  return (token.meta as unknown as { field: TemplateField }).field;
}

/** The logo of the organization, which only pages of a PDF have in their text. */
export function logoToken(): Token {
  const token = new MarkdownIt.Token('logo', '', 0);
  token.block = true;
  return token;
}

export function partiesOf(token: Token): readonly SigningParty[] {
  return (token.meta as unknown as { parties: readonly SigningParty[] }).parties;
}

/** How a page shows these tokens. */
export const SIGNING_RULES: Record<string, (tokens: readonly Token[], index: number) => string> = {
  signatures: (tokens, index) =>
    partiesOf(tokens[index])
      .map(({ key, label, name }) => {
        const person = name === null ? '' : `<br>\n${escapeHtml(name)}`;
        return `<p data-signer="${key}"><span>${LINE}</span><br>\n<strong>${escapeHtml(label)}</strong>${person}</p>\n`;
      })
      .join(''),
  signed_on: (tokens, index) => `<span data-signed-on="${partiesOf(tokens[index])[0].key}">${tokens[index].content}</span>`,
  placed: (tokens, index) => `<span data-field="${fieldOf(tokens[index]).key}">${tokens[index].content}</span>`,
  logo: () => '',
};
