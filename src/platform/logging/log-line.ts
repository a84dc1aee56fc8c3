/** A log line with fields of its own: members of the JSON object, or `name=value` after the text. */
export class LogLine {
  constructor(
    readonly message: string,
    readonly fields: Readonly<Record<string, unknown>>,
  ) {}
}
