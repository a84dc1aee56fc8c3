import { CommonErrors, refusalOf, type ImportFile, type ValidRow } from '../../../kit/index.js';

/** The rows of one record. */
export interface ImportRecord<T> {
  external_id: string;
  rows: ValidRow<T>[];
}

/**
 * The records of a file: each row or, if `grouped`, each run of rows with the same external_id. A row that repeats another one of its
 * record is skipped, and so is a record whose id occurred before or that has an invalid row. Errors name all of these rows.
 */
export function recordsOf<T extends { external_id: string }>(file: ImportFile<T>, grouped: boolean): ImportRecord<T>[] {
  const records: ImportRecord<T>[] = [];
  const firstRows = new Map<string, number>();
  const refuse = (row: number, message: string) =>
    file.errors.push(refusalOf(row, CommonErrors.duplicate({ param: 'external_id', message: `external_id ${message}` })));
  for (const { row, value } of file.valid) {
    const { external_id } = value;
    const current = records.at(-1);
    const earlier = firstRows.get(external_id);
    if (grouped && current?.external_id === external_id) {
      const same = current.rows.find((other) => JSON.stringify(other.value) === JSON.stringify(value));
      if (same) refuse(row, `is in a row that equals row ${same.row}; number them in a column line if both are meant`);
      else current.rows.push({ row, value });
    } else if (earlier !== undefined) {
      refuse(row, `is that of row ${earlier}`);
    } else {
      firstRows.set(external_id, row);
      records.push({ external_id, rows: [{ row, value }] });
    }
  }
  return grouped ? complete(file, records) : records;
}

/**
 * Records without an invalid row. A row whose external_id cannot be read belongs to the record that has rows both before and after it;
 * to any other record it is none of its rows.
 */
function complete<T extends { external_id: string }>(file: ImportFile<T>, records: readonly ImportRecord<T>[]): ImportRecord<T>[] {
  const ids = new Map(file.invalid.flatMap(({ row, value }) => (value.external_id === undefined ? [] : [[value.external_id, row]])));
  const unknown = file.invalid.filter(({ value }) => value.external_id === undefined).map(({ row }) => row);
  return records.filter(({ external_id, rows }) => {
    const [first, last] = [rows[0].row, rows[rows.length - 1].row];
    const culprit = ids.get(external_id) ?? unknown.find((row) => first < row && row < last);
    if (culprit === undefined) return true;
    const message = `The record was not imported because of row ${culprit}.`;
    file.errors.push(...rows.map(({ row }) => ({ row, code: 'validation_failed', param: null, message })));
    return false;
  });
}
