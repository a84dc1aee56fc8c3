/** Ids in the examples of the documentation. */
export const EXAMPLE = {
  project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  employee: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e10',
  manager: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e11',
  member: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e20',
  department: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e30',
  calendar: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e40',
  leaveType: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e50',
  request: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e60',
} as const;
