/** The lines below which servers repeat the mail that they could not deliver. */
const DIVIDERS = new RegExp(
  `^[ \\t]{0,4}(?:${[
    // qmail, also behind Yahoo and many providers
    '-{2,} ?Below this line is a copy of the (?:message|mail header)',
    // Exim, Gmail, GMX and IONOS, sendmail, Exchange
    '-{2,} ?This is a copy of (?:the|your) message',
    '-{2,} ?(?:Original message|The header of the original message|Message header follows|Returned message|Undelivered message)',
    '-{2,} ?(?:Unsent message|Original-Nachricht|Kopie der Nachricht|Der Header der Originalnachricht)',
    // not sendmail's "The original message was received at Mon, 23 Nov 2026"
    'The (?:original message|header of the original message|message headers?) (?:follows?|is (?:following|below)|(?:was|is):)',
    'Original message headers',
    'Message headers? follow',
    'Копия (?:исходного )?(?:письма|сообщения)',
    // the headers themselves
    '(?:Return-Path|Received|DKIM-Signature):\\s',
  ].join('|')})`,
  'im',
);

/** Where the returned mail begins in a report; its length if there is none. */
export function returnedAt(text: string): number {
  return DIVIDERS.exec(text)?.index ?? text.length;
}
