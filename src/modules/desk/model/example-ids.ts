/** Ids in the examples of the API reference. */
export const EXAMPLE = {
  project: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  ticket: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a10',
  otherTicket: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a11',
  message: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a20',
  attachment: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a30',
  status: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a40',
  queue: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a50',
  agent: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a60',
  view: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a70',
  cannedResponse: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6a80',
  businessHours: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6aa0',
  mailbox: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d6ab0',
  member: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a61',
  contact: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
} as const;
