import type { CountryCode } from 'libphonenumber-js/max';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH = 1_000;

type Library = typeof import('libphonenumber-js/max');

interface Row {
  id: string;
  phone: string;
  phone_normalized: string | null;
  default_country: CountryCode | null;
}

/**
 * Numbers that identify nobody, such as 0000000000 or 1, are no longer compared; extensions are part of a number; numbers without a
 * plus sign that begin with the calling code of the country are in E.164 form. As `normalizePhone` of the CRM computes them.
 */
export class CrmIdentifyingPhones1796008000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['leads', 'contacts']) {
      for (let after: string | null = null; ;) {
        const rows = (await queryRunner.query(
          `SELECT t.id, t.phone, t.phone_normalized, s.default_country FROM ${table} t
           LEFT JOIN crm_settings s ON s.project_id = t.project_id
           WHERE t.phone_normalized IS NOT NULL AND ($1::uuid IS NULL OR t.id > $1) ORDER BY t.id LIMIT ${BATCH}`,
          [after],
        )) as Row[];
        if (rows.length === 0) break;
        // not at every start, which loads all migrations
        const library = await import('libphonenumber-js/max');
        const changed = rows.map((row) => ({ id: row.id, now: normalized(library, row), before: row.phone_normalized })).filter(differs);
        if (changed.length > 0) {
          await queryRunner.query(
            `UPDATE ${table} t SET phone_normalized = given.phone FROM unnest($1::uuid[], $2::text[]) AS given (id, phone)
             WHERE t.id = given.id`,
            [changed.map(({ id }) => id), changed.map(({ now }) => now)],
          );
        }
        if (rows.length < BATCH) break;
        after = rows[rows.length - 1].id;
      }
    }
  }

  /** The numbers stay: the earlier version computes each again when it changes. */
  async down(): Promise<void> {}
}

function differs({ now, before }: { now: string | null; before: string | null }): boolean {
  return now !== before;
}

function normalized(library: Library, { phone, default_country }: Row): string | null {
  const text = phone.trim();
  const parsed = parse(library, text, default_country);
  const [digits = '', ...further] = text
    .split(/\p{L}+/u)
    .map(digitsOf)
    .filter(Boolean);
  const national = parsed?.nationalNumber ?? digits;
  if (/^(.)\1*$/u.test(national)) return null;
  if (parsed?.isValid()) return parsed.ext ? `${parsed.number};ext=${parsed.ext}` : parsed.number;
  return national.length < 7 ? null : [digits, ...further].join('x');
}

function parse({ getCountryCallingCode, parsePhoneNumberFromString }: Library, text: string, country: CountryCode | null) {
  const parsed = parsePhoneNumberFromString(text, country ?? undefined);
  if (!country || /^[^\p{Nd}]*\+/u.test(text)) return parsed;
  const international = parsePhoneNumberFromString(`+${text}`);
  if (!international?.isValid()) return parsed;
  return !parsed?.isValid() || international.countryCallingCode === getCountryCallingCode(country) ? international : parsed;
}

const digitsOf = (text: string) => text.normalize('NFKC').replace(/\P{Nd}/gu, '');
