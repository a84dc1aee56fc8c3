/** Ids in the examples of the API reference. */
export const EXAMPLE = {
  project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  member: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20',
  pipeline: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b10',
  status: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b20',
  source: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b30',
  contact: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b40',
  deal: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b50',
  stage: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2b60',
} as const;
