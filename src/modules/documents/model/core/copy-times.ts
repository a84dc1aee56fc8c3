/** When a person who does not sign gets a copy: once the parties are asked, or once all have signed. */
export const COPY_TIMES = ['sent', 'completed'] as const;
export type CopyTime = (typeof COPY_TIMES)[number];
