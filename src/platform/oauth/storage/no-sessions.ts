import type { Adapter } from 'oidc-provider';

/** The library's sessions last for one request only: the product's own session determines who is signed in, at each request. */
export class NoSessions implements Adapter {
  async find(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async upsert(): Promise<void> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}
