/** The module's guide for agents. */
export const SCHEDULE_GUIDE = `
Calendars belong to a project. Their events can use resources, such as rooms, that nobody else can use at the same time.
`.trim();
