/** Ids in the examples of the documentation. */
export const EXAMPLE = {
  project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  member: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a20',
  calendar: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a71',
  template: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a72',
  resource: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a73',
  event: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a74',
  instance: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a75',
} as const;
