/** SQL expressions for the columns of an event, within the statement that writes it; the body lacks its sequence. */
export type EventColumns = Record<'id' | 'organization_id' | 'project_id' | 'mode' | 'type' | 'internal' | 'body', string>;

/**
 * The SQL that writes deliveries with their events, implemented by the folder that owns their table: an INSERT without WITH, which
 * becomes the body of the statement that writes the events, so that both take one round trip and one plan.
 */
export interface EventDeliveries {
  /**
   * One delivery for each recipient that subscribes to the event; with `from`, for each event in that FROM item. Deliveries of bulk
   * changes yield to other deliveries of the recipient.
   */
  toSubscribers(event: EventColumns, from?: string, inBulk?: boolean): string;
  /** One delivery to this recipient, regardless of its subscriptions. */
  toOne(event: EventColumns, recipient: string): string;
}
