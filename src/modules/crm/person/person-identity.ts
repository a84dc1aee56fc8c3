import { domainToASCII } from 'node:url';
import { getCountryCallingCode, parsePhoneNumberFromString, type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import { CommonErrors, isLongerThan } from '../../../kit/index.js';

/** A person's name, whole and in parts. */
export interface PersonName {
  full_name: string;
  first_name: string | null;
  last_name: string | null;
}

/**
 * Normalizes an e-mail address for comparison: trimmed, lower case, the domain in ASCII (IDNA). Keeps dots and plus signs,
 * because only some providers ignore them, and merging two people is worse than a duplicate.
 */
export function normalizeEmail(email: string | null | undefined): string | null {
  const trimmed = email?.trim().normalize('NFC').toLowerCase();
  if (!trimmed) return null;
  const at = trimmed.lastIndexOf('@');
  if (at < 0) return trimmed;
  const domain = trimmed.slice(at + 1);
  return `${trimmed.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

/** Fewer digits can be an extension, a placeholder or a typing error, so they identify nobody unless they are a valid number. */
const MIN_DIGITS = 7;

/**
 * Normalizes a phone number for comparison: E.164 when it is valid, with `;ext=<digits>` if it has an extension, otherwise its
 * digits. Null if the number cannot identify a person: invalid with fewer than seven digits, or all digits equal, as in
 * 0000000000. A number without a plus sign belongs to `defaultCountry` (ISO 3166-1 alpha-2), unless it can only be read with the
 * calling code in front.
 */
export function normalizePhone(phone: string | null | undefined, defaultCountry: string | null): string | null {
  const trimmed = phone?.trim();
  if (!trimmed) return null;
  const parsed = parsePhone(trimmed, defaultCountry);
  // words can separate an extension, or another number
  const [digits = '', ...further] = trimmed
    .split(/\p{L}+/u)
    .map(digitsOf)
    .filter(Boolean);
  const national = parsed?.nationalNumber ?? digits;
  if (/^(.)\1*$/u.test(national)) return null;
  if (parsed?.isValid()) return parsed.ext ? `${parsed.number};ext=${parsed.ext}` : parsed.number;
  return national.length < MIN_DIGITS ? null : [digits, ...further].join('x');
}

function parsePhone(text: string, defaultCountry: string | null): PhoneNumber | undefined {
  const country = (defaultCountry ?? undefined) as CountryCode | undefined;
  const parsed = parsePhoneNumberFromString(text, country);
  if (!country || /^[^\p{Nd}]*\+/u.test(text)) return parsed;
  const international = parsePhoneNumberFromString(`+${text}`);
  if (!international?.isValid()) return parsed;
  // "49 151 12345678" in Germany: a national number would start with the trunk prefix 0
  if (!parsed?.isValid() || international.countryCallingCode === getCountryCallingCode(country)) return international;
  return parsed;
}

function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\P{Nd}/gu, '');
}

/** Trims the id and keeps its case, because only the sender knows its meaning. */
export function normalizeExternalId(externalId: string | null | undefined): string | null {
  return externalId?.trim() || null;
}

/** Completes a name from either form; null when neither is complete. The last word of a full name is the last name. */
export function nameOf(given: { full_name?: string | null; first_name?: string | null; last_name?: string | null }): PersonName | null {
  const [full, first, last] = [given.full_name, given.first_name, given.last_name].map((part) => part?.trim().replace(/\s+/g, ' ') || null);
  if (full === null) return first !== null && last !== null ? { full_name: `${first} ${last}`, first_name: first, last_name: last } : null;
  if (first !== null || last !== null) return { full_name: full, first_name: first, last_name: last };
  const words = full.split(' ');
  return words.length === 1
    ? { full_name: full, first_name: full, last_name: null }
    : { full_name: full, first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) as string };
}

/** The name after a change: a new full name replaces the parts, new parts replace the full name. Null when nothing is left. */
export function changedName(
  before: PersonName,
  given: { full_name?: string | null; first_name?: string | null; last_name?: string | null },
): PersonName | null {
  if (given.full_name !== undefined) return nameOf(given);
  if (given.first_name === undefined && given.last_name === undefined) return before;
  const first_name = given.first_name === undefined ? before.first_name : given.first_name;
  const last_name = given.last_name === undefined ? before.last_name : given.last_name;
  return nameOf({ full_name: [first_name, last_name].filter(Boolean).join(' '), first_name, last_name });
}

const MAX_NAME_LENGTH = 255;

/** Rejects a missing name and a full name that is too long. `before` is the current name, null for a new person. */
export function requireName(name: PersonName | null, before: PersonName | null): PersonName {
  if (!name && !before)
    throw CommonErrors.missingFields({ param: 'full_name', message: 'full_name is required, or first_name and last_name' });
  if (!name) throw CommonErrors.validationFailed({ param: 'full_name', message: 'full_name must not be empty' });
  if (isLongerThan(name.full_name, MAX_NAME_LENGTH))
    throw CommonErrors.validationFailed({
      param: 'full_name',
      message: `full_name must be at most ${MAX_NAME_LENGTH} characters long, also when it consists of first_name and last_name`,
    });
  return name;
}

/** Requires an e-mail address or a phone number with a digit: "n/a" is not a phone number. */
export function requireAddress({ email, phone }: { email?: string | null; phone?: string | null }): void {
  if (email || isPhoneNumber(phone)) return;
  throw CommonErrors.missingFields({
    param: 'email',
    message: 'email or phone is required' + (phone?.trim() ? ', and a phone number needs a digit' : ''),
  });
}

/** Whether the text is a phone number at all, even if it identifies nobody. */
export function isPhoneNumber(text: string | null | undefined): boolean {
  return digitsOf(text ?? '') !== '';
}

/** A person's addresses as given, each with its normalized form. */
export interface Addresses {
  email: string | null;
  email_normalized: string | null;
  phone: string | null;
  phone_normalized: string | null;
}

/** The given addresses; omitted ones stay undefined. */
export function addressesOf(
  { email, phone }: { email?: string | null; phone?: string | null },
  defaultCountry: string | null,
): Partial<Addresses> {
  return {
    ...(email === undefined ? {} : { email: email?.trim() || null, email_normalized: normalizeEmail(email) }),
    ...(phone === undefined ? {} : { phone: phone?.trim() || null, phone_normalized: normalizePhone(phone, defaultCountry) }),
  };
}
