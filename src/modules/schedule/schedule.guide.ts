/** The module's guide for agents. */
export const SCHEDULE_GUIDE = `
Calendars hold events. Events can use resources (rooms, equipment, people), which never have more simultaneous uses than
their capacity, and have invitees, who get real invitations by mail.

The usual order of calls:
1. list_calendars. Choose an active one; its time zone applies to everything that names none.
2. list_event_templates with calendar_id: it says which fields and which metadata the events of the calendar have. metadata is
   a JSON object, never text that contains JSON.
3. get_calendar_availability with duration_minutes and limit: take start_at and end_at of a slot, and one of its resource_ids.
4. create_event with an idempotency_key, so that a retry neither books nor invites twice.
5. On 409 resource_conflict or schedule_conflict, conflicts lists the conflicting uses and events: get slots again and pick another one.

Times: 2027-03-29T09:00:00+02:00 is an instant. 2027-03-29T09:00, without an offset, stays at nine o'clock in the time zone,
and so does every series. All-day events have start_on and end_on, the day after the last one, and no times.

A series has a recurrence. list_calendar_events shows its instances, each with an id of its own, series_id and original_on.
- One date: call update_event or delete_event with the instance's id.
- This date and all later ones: the same with apply_to "following"; update_event returns the new series that continues it.
- All dates: apply_to "all", or the id of the series.
A single conflict rejects the whole series: leave out the date with recurrence.exdates.

Setting status to cancelled frees the time and keeps the event; delete_event removes it. Both notify the invitees. Calendars,
templates, resources and opening hours are set up by members, not by keys. Bookings come from public booking pages; their times
are events as well.
`.trim();
