const NUMBER = /\[((?:TEST-)?T-[1-9]\d{0,11})\]/i;

/** The Message-ID of a mail; `id` is that of the message it carries, or any other. */
export function messageIdOf(id: string, { address }: { address: string }): string {
  return `<${id}.desk@${address.slice(address.lastIndexOf('@') + 1)}>`;
}

/** The number of a ticket in a subject, `[T-42]`. Anybody can write one. */
export function ticketNumberIn(subject: string): string | null {
  return NUMBER.exec(subject)?.[1].toUpperCase() ?? null;
}

/** The subject of a mail about a ticket. */
export function subjectOf({ number, subject }: { number: string; subject: string }): string {
  return ticketNumberIn(subject) === number ? `Re: ${subject}` : `Re: [${number}] ${subject}`;
}
