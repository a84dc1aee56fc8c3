import { decimalText, NumberTooLarge, rounded, type Exact } from '../expressions/exact.js';
import type { PlacedField } from '../core/placed-fields.js';
import { isShown, valueOfRule, type StoredValues } from './placed-expressions.js';
import { isEntered, isOpen, MOST_DIGITS, readPlaced, withPlaces, type ValueFault } from './placed-values.js';

/** A calculated number without a number of places has so many at most. */
const USUAL_PLACES = 6;

/** What a party fills in. */
export interface Filling {
  /** Of the document. */
  fields: readonly PlacedField[];
  party: string;
  /** What it typed and chose; null for a page that was not sent yet. */
  given: Readonly<Record<string, unknown>> | null;
  /** What those who have signed filled in. */
  earlier: StoredValues;
  /** Of the page, BCP 47. */
  language: string;
}

/** What a party has filled in. */
export interface FilledIn {
  /** In the form in which they are stored, by key. */
  values: Record<string, string>;
  faults: { field: PlacedField; fault: ValueFault }[];
  /** The fields of the party that are not there for it: they have no value. */
  hidden: ReadonlySet<string>;
}

/** Reads what a party typed and chose into its fields, and calculates the others. */
export function fillIn(filling: Filling): FilledIn {
  const reading = new Reading(filling);
  const own = filling.fields.filter(({ party }) => party === filling.party);
  const read = own.map((field) => ({ field, ...reading.of(field) }));
  return {
    values: Object.fromEntries(read.flatMap(({ field, value }) => (value === null ? [] : [[field.key, value]]))),
    faults: read.flatMap(({ field, fault }) => (fault ? [{ field, fault }] : [])),
    hidden: new Set(read.flatMap(({ field, isHidden }) => (isHidden ? [field.key] : []))),
  };
}

interface Read {
  value: string | null;
  fault?: ValueFault;
  isHidden?: boolean;
}

/** Reads each field once, those that it depends on first. */
class Reading {
  private readonly known = new Map<string, Read>();

  constructor(private readonly filling: Filling) {}

  of(field: PlacedField): Read {
    let read = this.known.get(field.key);
    if (!read) {
      // a field that depends on itself has no value
      this.known.set(field.key, { value: null });
      this.known.set(field.key, (read = this.read(field)));
    }
    return read;
  }

  private readonly valueOf = (key: string): string | undefined => {
    const { fields, party, earlier } = this.filling;
    const field = fields.find((one) => one.key === key);
    if (field?.party === party) return this.of(field).value ?? undefined;
    return Object.hasOwn(earlier, key) ? earlier[key] : undefined;
  };

  private read(field: PlacedField): Read {
    const { fields, given, language } = this.filling;
    if (!isShown(field, fields, this.valueOf)) return { value: null, isHidden: true };
    if (!isEntered(field)) return { value: null };
    if ((field.calculated ?? null) !== null) return this.calculated(field);
    const isGiven = given !== null && isOpen(field);
    const entered = isGiven ? (Object.hasOwn(given, field.key) ? given[field.key] : '') : (field.default ?? '');
    const read = readPlaced(field, entered, isGiven ? language : 'en');
    return 'fault' in read ? { value: null, fault: read.fault } : read;
  }

  private calculated(field: PlacedField): Read {
    try {
      const value = valueOfRule('calculated', field.calculated as string, this.filling.fields, this.valueOf);
      if (value === null) return { value: null };
      const text = typeof value === 'object' ? this.numberText(value, field) : String(value);
      // what follows from other fields is not asked for
      const read = text === null ? { fault: { rule: 'size' } as const } : readPlaced({ ...field, required: false }, text, 'en');
      return 'fault' in read ? { value: null, fault: read.fault } : read;
    } catch (error) {
      if (error instanceof NumberTooLarge) return { value: null, fault: { rule: 'size' } };
      throw error;
    }
  }

  /** Null for a number with more digits than are exact. */
  private numberText(number: Exact, { decimals }: PlacedField): string | null {
    const text = decimalText(rounded(number, decimals ?? USUAL_PLACES));
    const written = withPlaces(text, decimals ?? 0);
    return written.replace(/\D/g, '').length > MOST_DIGITS ? null : written;
  }
}
