import { normalizeEmail, normalizeExternalId, normalizePhone, type LeadInput } from '../../crm/crm.public.js';

/** Finds rows that name the same person as an earlier row. They only get a warning: an import creates every row. */
export class DuplicateRows {
  private readonly firstRows = new Map<string, number>();

  constructor(private readonly defaultCountry: string | null) {}

  /** The fields with the same value as in an earlier row, each with the number of the first such row. */
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
