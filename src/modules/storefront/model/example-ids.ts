/** Ids in the examples of the API reference. */
export const EXAMPLE = {
  project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  channel: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a10',
  category: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a20',
  shippingMethod: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a30',
  product: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a40',
  variant: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a50',
  order: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a60',
  line: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a70',
  fulfillment: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a80',
  payment: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d5a90',
  item: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d4a10',
  location: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d4a20',
} as const;
