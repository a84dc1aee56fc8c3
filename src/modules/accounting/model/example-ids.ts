/** Ids in the examples of the documentation. */
export const EXAMPLE = {
  project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  contact: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a40',
  account: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c01',
  tax: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c02',
  customer: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c03',
  invoice: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c04',
  line: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c05',
  payment: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c06',
  entry: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c07',
} as const;
