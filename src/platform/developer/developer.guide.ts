export const DEVELOPER_GUIDE = `Events that were recorded, and the webhook endpoints that they are sent to.

- list_recent_events returns events in the order of their sequence. Save the sequence of the last one that you processed, and continue
  with after_sequence to get what a receiver missed.
- Endpoints subscribe to event types, to all types of a subject with a wildcard such as note.*, or to all with *.
- recover_developer_endpoint sends an endpoint the events for which no delivery was written while it was disabled.
- A test key sees test events and endpoints only, a live key live ones; a key of one project only those of the project.
`;
