import type { MailContent } from '../../../kit/index.js';

/** A page on which the reader acts in their own name. */
export interface ReaderLink {
  url: string;
  /** The words of the link. */
  button: string;
  /** Whom the link is for. */
  note: string;
}

export interface EventContent {
  /** What has happened; empty lines separate paragraphs. */
  opening: string;
  heading: string;
  /** Names and values, without the heading. */
  facts: readonly (readonly [name: string, value: string])[];
  /** Longer texts, each with its title if it has one. */
  texts: readonly { title?: string; text: string }[];
  link: ReaderLink | null;
  reason: string;
}

/** What a mail about an event says. */
export function mailLayout({ opening, heading, facts, texts, link, reason }: EventContent): MailContent {
  return {
    heading,
    parts: [
      ...opening.split(/\n{2,}/),
      { facts },
      ...texts.map(({ title, text }) => (title === undefined ? text : { quote: text, by: `${title}:` })),
    ],
    ...(link && { action: { url: link.url, label: link.button }, notes: [link.note] }),
    reason,
  };
}

/** Without line breaks, for a header or a fact. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
