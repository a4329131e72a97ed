-- One that was taken back is nobody's any more, but counts among those that were made of late.
ALTER TABLE invitations
  DROP CONSTRAINT invitations_status_check,
  ADD CONSTRAINT invitations_status_check CHECK (status IN ('pending', 'accepted', 'rejected', 'deleted'));
