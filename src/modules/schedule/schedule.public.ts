// What other modules may use of this one: its main records, for @BeforeWrite.
export { Booking } from './model/records/booking.entity.js';
export { ScheduleModule } from './schedule.module.js';
