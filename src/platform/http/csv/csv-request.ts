import type { Type } from '@nestjs/common';
import { CommonErrors, fieldsOf } from '../../../kit/index.js';
import { preferredType } from '../../../kit/internal.js';
import { listsAsCsv, type Route } from '../../registry/route-registry.js';

const CSV = 'text/csv';
const OFFERED = ['application/json', CSV];
/** Items that a file has at most: it is refused rather than cut off. */
export const MOST_ROWS = 50_000;
/** Files with several pages that a process sends to one organization at a time. */
export const MOST_AT_ONCE = 2;

export function prefersCsv(route: Route, accept: string | undefined): boolean {
  return accept?.includes(CSV) === true && listsAsCsv(route) && preferredType(accept, OFFERED) === CSV;
}

/** Whether a list has pages. */
export function hasPages(query: Type | null): boolean {
  return query !== null && ['limit', 'cursor', 'include_total'].every((name) => fieldsOf(query).has(name));
}

/** The first page of a file with all items: as large as the list allows, and with their number. */
export function firstPage(query: object, dto: Type): void {
  Object.assign(query, { limit: fieldsOf(dto).get('limit')?.maximum, include_total: true });
}

export function tooManyRows(total: number) {
  return CommonErrors.validationFailed({
    param: 'Accept',
    message: `A CSV file has at most ${MOST_ROWS} items, but ${total} match: narrow them by filters, or send a limit for single pages`,
  });
}

export function tooManyFiles() {
  const message = `${MOST_AT_ONCE} CSV files of this organization are being sent. Try again when one is complete.`;
  return CommonErrors.rateLimited({ message, headers: { 'Retry-After': '5' } });
}
