import { normalizeEmail, normalizeExternalId, normalizePhone, type LeadInput } from '../../crm/crm.public.js';

/** Which rows of a file name the same person. They are only pointed out: an import creates what the file holds. */
export class RowRepeats {
  private readonly firstRows = new Map<string, number>();

  constructor(private readonly defaultCountry: string | null) {}

  /** The fields of a row that an earlier row has too, with the first such row. */
  add(number: number, { external_id, email, phone }: LeadInput): { param: string; first: number }[] {
    const values: [string, string | null][] = [
      ['external_id', normalizeExternalId(external_id)],
      ['email', normalizeEmail(email)],
      ['phone', normalizePhone(phone, this.defaultCountry)],
    ];
    const repeats: { param: string; first: number }[] = [];
    for (const [param, value] of values) {
      if (value === null) continue;
      const first = this.firstRows.get(`${param} ${value}`);
      if (first === undefined) this.firstRows.set(`${param} ${value}`, number);
      else repeats.push({ param, first });
    }
    return repeats;
  }
}
