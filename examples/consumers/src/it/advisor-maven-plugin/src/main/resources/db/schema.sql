-- A shop with a log that is written at its end.
CREATE TABLE AccessLog (
  LastAccess TIMESTAMP NOT NULL,
  Page STRING(MAX),
) PRIMARY KEY (LastAccess);
