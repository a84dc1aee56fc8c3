/** Ids in the examples of the documentation. */
export const EXAMPLE = {
  project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  item: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
  location: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20',
  otherLocation: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c21',
  lot: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c30',
  reservation: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c40',
  transfer: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c50',
  line: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c51',
} as const;
