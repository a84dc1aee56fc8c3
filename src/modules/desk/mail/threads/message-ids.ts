const OWN = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.desk@/i;
const NUMBER = /\[((?:TEST-)?T-[1-9]\d{0,11})\]/i;

/** The Message-ID of the mails that carry a message of a ticket; `host` is that of the suite's sender. */
export function messageIdOf(messageId: string, host: string): string {
  return `<${messageId}.desk@${host}>`;
}

/** The ids of messages whose mails are among the Message-IDs, in the order given. Whoever has such an id has the mail. */
export function ownMessagesIn(messageIds: readonly string[]): string[] {
  return messageIds.flatMap((id) => OWN.exec(id)?.[1].toLowerCase() ?? []);
}

/** The number of a ticket in a subject, `[T-42]`. Anybody can write one. */
export function ticketNumberIn(subject: string): string | null {
  return NUMBER.exec(subject)?.[1].toUpperCase() ?? null;
}

/** The subject of a mail about a ticket. */
export function subjectOf({ number, subject }: { number: string; subject: string }): string {
  return ticketNumberIn(subject) === number ? `Re: ${subject}` : `Re: [${number}] ${subject}`;
}
