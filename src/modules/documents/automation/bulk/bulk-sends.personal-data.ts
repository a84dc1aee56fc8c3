import { containsAddress, personalData, sql } from '../../../../kit/index.js';
import { BulkSendRow } from './bulk-send.entity.js';

/** What bulk sends store about people: their recipients. */
export const BULK_SENDS_PERSONAL_DATA = [
  personalData(BulkSendRow, {
    title: 'rows of bulk sends',
    where: (person) => containsAddress(sql`concat_ws(' ', t.data_values, t.sending)`, person),
    keep: { why: 'Rows of a bulk send tell what was sent; they are deleted 90 days after its end.' },
  }),
];
