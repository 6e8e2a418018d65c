// The times in which a deletion can be undone, in milliseconds.

/** The time for which a message with Undo is visible. */
export const UNDO_VISIBLE = 6_000;

/** The time for which a deletion is not sent. It is longer than Undo is visible, because the tap needs time. */
export const UNDO_TIME = UNDO_VISIBLE + 1_000;
