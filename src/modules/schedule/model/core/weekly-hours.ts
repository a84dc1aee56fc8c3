/** Opening hours on one weekday, in local time of the calendar's zone. */
export interface AvailabilityRule {
  /** ISO 8601: 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** `HH:MM` */
  start: string;
  /** `HH:MM`, up to `24:00`; exclusive. */
  end: string;
}

/** A part of a day in local time; `end` up to `24:00`, exclusive. */
export interface DayWindow {
  start: string;
  end: string;
}
