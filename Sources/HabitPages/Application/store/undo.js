// The times in which a deletion can be undone, in milliseconds.

/** How long a message with Undo is visible. */
export const UNDO_VISIBLE = 6_000;

/** How long a deletion is not sent: a little longer than Undo is visible, because the tap needs time. */
export const UNDO_TIME = UNDO_VISIBLE + 1_000;
