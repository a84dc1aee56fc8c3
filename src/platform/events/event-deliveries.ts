/** SQL expressions for the columns of an event, within the statement that writes it. */
export type EventColumns = Record<'id' | 'organization_id' | 'project_id' | 'mode' | 'type' | 'internal', string>;

/**
 * The SQL that writes deliveries with their events, from the folder that owns their table: an INSERT without WITH, as it
 * becomes the body of the statement that writes the events. Only so do both take one round trip and one plan.
 */
export interface EventDeliveries {
  /** One delivery for each recipient that wants the event; with `from`, for each event in that FROM item. */
  toSubscribers(event: EventColumns, from?: string): string;
  /** One delivery to this recipient, whatever it subscribes to. */
  toOne(event: EventColumns, recipient: string): string;
}
