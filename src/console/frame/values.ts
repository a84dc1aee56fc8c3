/** The values of a form as they were sent. */
export class Values {
  constructor(private readonly sent: URLSearchParams) {}

  /** Without surrounding blanks; empty if it was not sent. */
  text(name: string): string {
    return this.sent.get(name)?.trim() ?? '';
  }

  /** Unchanged, for passwords. */
  exact(name: string): string {
    return this.sent.get(name) ?? '';
  }

  /** Null if it was left empty. */
  optional(name: string): string | null {
    return this.text(name) || null;
  }

  /** A number. Other text stays text, so that the operation rejects it with its own message. Null if empty. */
  number(name: string): number | string | null {
    const text = this.optional(name);
    if (text === null) return null;
    return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  }

  /** The non-empty lines of a text area. */
  lines(name: string): string[] {
    return this.text(name)
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean);
  }

  /** The ticked values of a group. */
  all(name: string): string[] {
    return this.sent.getAll(name);
  }

  has(name: string): boolean {
    return this.sent.has(name);
  }

  /** Every value with its name, in order. */
  entries(): [name: string, value: string][] {
    return [...this.sent];
  }
}
